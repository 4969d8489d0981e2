import type { Metadata } from "next";
import { Readable } from "@/components/access/readable";
import { titleOf } from "@/components/layout/nav";
import { MailTab } from "@/components/settings/mail-tab";
import { SettingsPage } from "@/components/settings/settings-page";
import { SignOnTab } from "@/components/settings/sign-on-tab";

export const metadata: Metadata = { title: titleOf("/settings/sign-on") };

export default function Page() {
  return (
    <SettingsPage>
      <Readable to="installation:read">
        <SignOnTab />
        <Readable to="installation:manage">
          <MailTab />
        </Readable>
      </Readable>
    </SettingsPage>
  );
}
