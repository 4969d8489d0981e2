"use client";

import { FullPage } from "@/components/layout/full-page";
import { PageFailure, type PageFailureProps } from "@/components/layout/page-failure";

export default function RootError(props: PageFailureProps) {
  return (
    <FullPage>
      <PageFailure {...props} />
    </FullPage>
  );
}
