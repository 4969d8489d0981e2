"use client";

import { PageFailure, type PageFailureProps } from "@/components/layout/page-failure";
import { PageHeader } from "@/components/layout/page-header";

export default function ConsoleError(props: PageFailureProps) {
  return (
    <>
      <PageHeader title="Something went wrong" />
      <PageFailure {...props} />
    </>
  );
}
