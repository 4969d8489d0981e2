import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { expect, it } from "vitest";
import { createHeardChanges, ownChangesLink } from "@/components/trpc/heard";
import { HEARD_HEADER } from "@/server/access/heard-schema";
import type { AppRouter } from "@/server/composition/router";

const POSITION = "0199a000-0000-7000-8000-000000000001.7";

it("names what it heard while the stream runs, and nothing before and after", () => {
  const heard = createHeardChanges();
  expect(heard.headers()).toEqual({});
  heard.note(POSITION);
  expect(heard.headers()).toEqual({ [HEARD_HEADER]: POSITION });
  heard.forget();
  expect(heard.headers()).toEqual({});
});

it("adds the time since an act of its own was answered, also when it was refused", async () => {
  let nowMs = 0;
  const heard = createHeardChanges(() => nowMs);
  heard.note(POSITION);
  let isRefused = false;
  const server: TRPCLink<AppRouter> = () => () =>
    observable((observer) => {
      nowMs += 50;
      if (isRefused) return observer.error(new TRPCClientError("refused"));
      observer.next({ result: { data: undefined } });
      observer.complete();
    });
  const client = createTRPCClient<AppRouter>({ links: [ownChangesLink(heard), server] });
  await client.halts.inForce.query();
  expect(heard.headers()).toEqual({ [HEARD_HEADER]: POSITION });
  await client.halts.resume.mutate({ id: "a halt", reason: "over" });
  nowMs += 20.5;
  expect(heard.headers()).toEqual({ [HEARD_HEADER]: `${POSITION} 20` });
  isRefused = true;
  await client.halts.resume.mutate({ id: "a halt", reason: "over" }).catch(() => undefined);
  expect(heard.headers()).toEqual({ [HEARD_HEADER]: `${POSITION} 0` });
});
