import type { Metadata } from "next";
import type { ReactNode } from "react";
import { pageAt, type RouteProps } from "../../../cms/site";
import "../../site.css";

export const metadata: Metadata = { icons: "/favicon.svg" };

export default async function Layout({ children, ...props }: Pick<RouteProps, "params"> & { children: ReactNode }) {
  const { language } = await pageAt(props);
  return (
    <html lang={language}>
      <body>{children}</body>
    </html>
  );
}
