import type { Metadata } from "next";
import { DeviceLoginPage } from "@/components/device-login/device-login-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/agents/login") };

export default function Page() {
  return <DeviceLoginPage />;
}
