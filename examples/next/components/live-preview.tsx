"use client";
import { connect } from "git-cms/bridge";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** The preview beside the editor's form: the server is asked again for what is typed there. */
export function LivePreview({ service }: { service: string }) {
  const router = useRouter();
  useEffect(
    () => connect({ service, refresh: (key) => router.replace(`?key=${key}`, { scroll: false }) }),
    [service, router],
  );
  return null;
}
