"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { usePermission } from "@/components/access/permission";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { HealthTab } from "@/components/settings/health-tab";
import { MailTab } from "@/components/settings/mail-tab";
import { PeopleTab } from "@/components/settings/people-tab";
import { ProfileTab } from "@/components/settings/profile-tab";
import { ServicesTab } from "@/components/settings/services-tab";
import { SignOnTab } from "@/components/settings/sign-on-tab";
import { WebhooksTab } from "@/components/settings/webhooks-tab";
import { Notice } from "@/components/ui/notice";
import { Tabs } from "@/components/ui/tabs";

const TABS = ["profile", "people", "services", "sign-on", "mail", "webhooks", "health"] as const;

/** Oneself, the others, the machines, and how all of them get in. */
export function SettingsPage() {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(TABS).withDefault("profile"));
  const people = usePermission("people:manage");
  const webhooks = usePermission("webhook:manage");
  const installation = usePermission("installation:manage");
  return (
    <>
      <PageHeader title="Settings" />
      <PageBody className="max-w-260">
        <Tabs
          label="Settings"
          value={tab}
          onChange={(next) => void setTab(next)}
          tabs={[
            { value: "profile", label: "Profile & security", content: <ProfileTab /> },
            {
              value: "people",
              label: "People",
              content: people.reason ? <Closed>{people.reason}</Closed> : <PeopleTab />,
            },
            {
              value: "services",
              label: "Service accounts",
              content: people.reason ? <Closed>{people.reason}</Closed> : <ServicesTab />,
            },
            {
              value: "sign-on",
              label: "Sign-on",
              content: installation.reason ? <Closed>{installation.reason}</Closed> : <SignOnTab />,
            },
            {
              value: "mail",
              label: "Mail",
              content: installation.reason ? <Closed>{installation.reason}</Closed> : <MailTab />,
            },
            {
              value: "webhooks",
              label: "Webhooks",
              content: webhooks.reason ? <Closed>{webhooks.reason}</Closed> : <WebhooksTab />,
            },
            { value: "health", label: "Health", content: <HealthTab /> },
          ]}
        />
      </PageBody>
    </>
  );
}

const Closed = ({ children }: { children: string }) => <Notice>{children}</Notice>;
