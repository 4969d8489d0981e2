import { createTRPCClient, httpBatchLink } from "@trpc/client";
import superjson from "superjson";
import { describe, expect, it } from "vitest";
import { appCodeOf, failureSentence, isSignedOut, isWorthRetrying } from "@/components/trpc/failure";
import type { AppRouter } from "@/server/composition/router";

const failWith = (fetch: () => Promise<Response>): Promise<unknown> =>
  createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: "http://localhost/api/trpc", transformer: superjson, fetch })],
  })
    .access.me.query()
    .then(
      () => "no error",
      (error: unknown) => error,
    );

describe("a call that failed", () => {
  it("before a procedure ran says the server's own sentence, and may pass later", async () => {
    const error = { code: "database_away", message: "The database is not responding." };
    const failure = await failWith(async () => Response.json({ error }, { status: 503 }));
    expect(failureSentence(failure)).toBe("The database is not responding.");
    expect(appCodeOf(failure)).toBe("database_away");
    expect(isWorthRetrying(failure)).toBe(true);
  });

  it("for want of a session is known as such", async () => {
    const error = { code: "unauthenticated", message: "Sign in." };
    const failure = await failWith(async () => Response.json({ error }, { status: 401 }));
    expect(isSignedOut(failure)).toBe(true);
    expect(isWorthRetrying(failure)).toBe(false);
  });

  it("on its way, or was answered by something else, says that the console was not reached", async () => {
    const lost = await failWith(() => Promise.reject(new TypeError("fetch failed")));
    const page = await failWith(async () => new Response("<html>", { status: 502 }));
    for (const failure of [lost, page])
      expect(failureSentence(failure)).toBe("The console could not be reached. It may be restarting.");
  });
});
