import type { Metadata } from "next";
import { Readable } from "@/components/access/readable";
import { titleOf } from "@/components/layout/nav";
import { PeopleTab } from "@/components/settings/people-tab";
import { ServicesTab } from "@/components/settings/services-tab";
import { SettingsPage } from "@/components/settings/settings-page";

export const metadata: Metadata = { title: titleOf("/settings/people") };

export default function Page() {
  return (
    <SettingsPage>
      <Readable to="people:read">
        <PeopleTab />
        <ServicesTab />
      </Readable>
    </SettingsPage>
  );
}
