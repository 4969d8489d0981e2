"use client";

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Where this console is reached from, `http://127.0.0.1:3000`; the default address until the browser says. */
export const useOrigin = (): string =>
  useSyncExternalStore(
    never,
    () => window.location.origin,
    () => "http://127.0.0.1:3000",
  );
