import type { Metadata } from "next";
import { Readable } from "@/components/access/readable";
import { titleOf } from "@/components/layout/nav";
import { SettingsPage } from "@/components/settings/settings-page";
import { StreamsPage } from "@/components/streams/streams-page";

export const metadata: Metadata = { title: titleOf("/settings/streams") };

export default function Page() {
  return (
    <SettingsPage>
      <Readable to="stream:manage">
        <StreamsPage />
      </Readable>
    </SettingsPage>
  );
}
