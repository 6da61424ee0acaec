import type { Metadata } from "next";
import type { ReactNode } from "react";
import type { Params } from "../../../components/page-at";
import { previewAt } from "../../../components/preview-at.dev";
import "../../site.css";

export const metadata: Metadata = { icons: "/favicon.svg" };

export default async function Layout({ params, children }: { params: Params; children: ReactNode }) {
  const { language } = await previewAt(await params);
  return (
    <html lang={language}>
      <body>{children}</body>
    </html>
  );
}
