"use client";

import { NotifyButton } from "@/components/layout/notices/notify-button";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { ListView } from "@/components/notices/list-view";

/** The inbox: the notices of the person who looks. */
export function NoticesPage() {
  return (
    <>
      <PageHeader title="Inbox" primary={<NotifyButton />} />
      <PageBody className="max-w-260">
        <ListView />
      </PageBody>
    </>
  );
}
