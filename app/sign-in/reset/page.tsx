import type { Metadata } from "next";
import { NewPassword } from "@/components/access/new-password";
import { FullPage } from "@/components/layout/full-page";

/** The address holds a token, so the referrer must not be sent to other sites. */
export const metadata: Metadata = { title: "New password", referrer: "no-referrer" };
export const dynamic = "force-dynamic";

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const token = [(await searchParams).token].flat()[0] ?? "";
  return (
    <FullPage>
      <NewPassword token={token} />
    </FullPage>
  );
}
