"use client";

import { type ComponentType, lazy, Suspense, useState } from "react";

interface OnceOpenedProps<Props> {
  of: ComponentType<Props>;
  props: Props;
}

/**
 * A dialog or drawer whose script comes when it is first opened, not with the page: most visits open none. One without
 * `open` among its props is open while it is rendered.
 */
export function loadWhenOpened<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return (props: Props) => <OnceOpened of={Loaded} props={props} />;
}

function OnceOpened<Props extends object>({ of: Loaded, props }: OnceOpenedProps<Props>) {
  const open: unknown = Reflect.get(props, "open");
  const isOpen = open !== false && open !== null;
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
