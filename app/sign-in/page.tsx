import type { Metadata } from "next";
import { explainFailure, waysIn, whoami } from "@/app/prefetch";
import { SignIn } from "@/components/access/sign-in";
import { FullPage } from "@/components/layout/full-page";
import { PageUnavailable } from "@/components/layout/page-unavailable";

export const metadata: Metadata = { title: "Sign in", referrer: "no-referrer" };
/** The answer depends on the cookie and the link. */
export const dynamic = "force-dynamic";

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const token = text("token");
  const person =
    token === null
      ? await whoami()
          .then(({ name }) => name)
          .catch(() => null)
      : null;
  const ways = await waysIn().catch((error: unknown) => ({ failure: explainFailure(error) }));
  if ("failure" in ways) return <PageUnavailable reason={ways.failure} />;
  return (
    <FullPage>
      <SignIn token={token} next={text("next")} person={person} failure={text("error")} {...ways} />
    </FullPage>
  );
}
