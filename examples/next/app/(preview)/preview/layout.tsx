import type { Metadata } from "next";
import type { ReactNode } from "react";
import { LivePreview } from "../../../components/live-preview";
import "../../site.css";

export const metadata: Metadata = { icons: "/favicon.svg", robots: "noindex" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html>
      <body>
        {children}
        <LivePreview service={process.env.CMS_URL ?? "http://127.0.0.1:8000"} />
      </body>
    </html>
  );
}
