import type { Metadata } from "next";
import { Readable } from "@/components/access/readable";
import { titleOf } from "@/components/layout/nav";
import { SettingsPage } from "@/components/settings/settings-page";
import { WebhooksTab } from "@/components/settings/webhooks-tab";

export const metadata: Metadata = { title: titleOf("/settings/webhooks") };

export default function Page() {
  return (
    <SettingsPage>
      <Readable to="webhook:manage">
        <WebhooksTab />
      </Readable>
    </SettingsPage>
  );
}
