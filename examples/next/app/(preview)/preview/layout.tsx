import type { Metadata } from "next";
import type { ReactNode } from "react";
import "../../site.css";

export const metadata: Metadata = { icons: "/favicon.svg", robots: "noindex" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html>
      <body>{children}</body>
    </html>
  );
}
