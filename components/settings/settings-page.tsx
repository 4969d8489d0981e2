"use client";

import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { usePermission } from "@/components/access/permission";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { ProfileTab } from "@/components/settings/profile-tab";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { Permission } from "@/server/access/permissions";

const loading = () => (
  <Loading label="the settings">
    <SkeletonText lines={4} />
  </Loading>
);
/** Parts that are opened by few come when they are. */
const PeopleTab = dynamic(() => import("@/components/settings/people-tab").then((one) => one.PeopleTab), { loading });
const ServicesTab = dynamic(() => import("@/components/settings/services-tab").then((one) => one.ServicesTab), {
  loading,
});
const SignOnTab = dynamic(() => import("@/components/settings/sign-on-tab").then((one) => one.SignOnTab), { loading });
const CalendarTab = dynamic(() => import("@/components/settings/calendar-tab").then((one) => one.CalendarTab), {
  loading,
});
const ApprovalsTab = dynamic(() => import("@/components/settings/approvals-tab").then((one) => one.ApprovalsTab), {
  loading,
});
const MailTab = dynamic(() => import("@/components/settings/mail-tab").then((one) => one.MailTab), { loading });
const WebhooksTab = dynamic(() => import("@/components/settings/webhooks-tab").then((one) => one.WebhooksTab), {
  loading,
});

const TABS = ["profile", "people", "services", "approvals", "calendar", "sign-on", "mail", "webhooks"] as const;
type Tab = (typeof TABS)[number];

const LABELS: Readonly<Record<Tab, string>> = {
  profile: "Profile & security",
  people: "People",
  services: "Service accounts",
  approvals: "Approvals",
  calendar: "Calendar",
  "sign-on": "Sign-on",
  mail: "Mail",
  webhooks: "Webhooks",
};
const OPTIONS = TABS.map((value) => ({ value, label: LABELS[value] }));

/** The settings: profile, people, service accounts, sign-in, and the workspace's calendar. */
export function SettingsPage() {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("profile"));
  return (
    <>
      <PageHeader title="Settings" />
      <PageBody className="max-w-260">
        <div className="-m-1 overflow-x-auto p-1">
          <Segmented label="Settings" value={tab} onChange={(next) => void setTab(next)} options={OPTIONS} />
        </div>
        {CONTENTS[tab]}
      </PageBody>
    </>
  );
}

const CONTENTS: Readonly<Record<Tab, ReactNode>> = {
  profile: <ProfileTab />,
  people: (
    <Readable to="people:read">
      <PeopleTab />
    </Readable>
  ),
  services: (
    <Readable to="people:read">
      <ServicesTab />
    </Readable>
  ),
  approvals: <ApprovalsTab />,
  calendar: <CalendarTab />,
  "sign-on": (
    <Readable to="installation:read">
      <SignOnTab />
    </Readable>
  ),
  mail: (
    <Readable to="installation:manage">
      <MailTab />
    </Readable>
  ),
  webhooks: (
    <Readable to="webhook:manage">
      <WebhooksTab />
    </Readable>
  ),
};

/** A section of the settings; a person without the permission sees which roles have it. */
function Readable({ to, children }: { to: Permission; children: ReactNode }) {
  const { reason } = usePermission(to);
  return reason === null ? children : <Notice>{reason}</Notice>;
}
