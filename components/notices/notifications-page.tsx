"use client";

import { NotifyButton } from "@/components/layout/notices/notify-button";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { ChoicesView } from "@/components/notices/choices-view";

/** A person's own choices of notifications. */
export function NotificationsPage() {
  return (
    <>
      <PageHeader primary={<NotifyButton />} />
      <PageBody className="max-w-260">
        <ChoicesView />
      </PageBody>
    </>
  );
}
