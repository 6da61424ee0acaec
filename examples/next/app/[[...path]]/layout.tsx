import type { Metadata } from "next";
import type { ReactNode } from "react";
import { pageAt, type Params } from "../../components/page-at";
import "../site.css";

export const metadata: Metadata = { icons: "/favicon.svg" };

export default async function Layout({ params, children }: { params: Params; children: ReactNode }) {
  const { language } = pageAt(await params);
  return (
    <html lang={language}>
      <body>{children}</body>
    </html>
  );
}
