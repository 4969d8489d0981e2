"use client";

import type { ReactNode } from "react";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";

/** The frame of one page of the settings. */
export function SettingsPage({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader />
      <PageBody className="max-w-260">{children}</PageBody>
    </>
  );
}
