"use client";

import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { toast } from "@/components/ui/toast";

interface Script<Props> {
  readonly load: () => Promise<void>;
  /** Undefined until it was loaded once. */
  readonly component: () => ComponentType<Props> | undefined;
}

/**
 * A dialog or drawer whose script loads when it is first opened, not with the page: most visits open none. The prop
 * `subject` is false or null while it is closed; a component without this prop is open while it is rendered. If the
 * script cannot be loaded, a notice says so and the dialog closes; opening it again retries.
 */
export function loadWhenOpened<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  subject: (keyof Props & string) | "open" = "open",
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const script: Script<Props> = {
    load: async () => {
      loaded = await load();
    },
    component: () => loaded,
  };
  return (props: Props) => <OnceOpened script={script} props={props} subject={subject} />;
}

interface OnceOpenedProps<Props> {
  script: Script<Props>;
  props: Props;
  subject: string;
}

function OnceOpened<Props extends object>({ script, props, subject }: OnceOpenedProps<Props>) {
  const open: unknown = Reflect.get(props, subject);
  const isOpen = open !== false && open !== null;
  // In an object: a function would be called for its value.
  const [found, setFound] = useState<{ readonly Loaded: ComponentType<Props> | undefined }>({
    Loaded: script.component(),
  });
  const fail = useEffectEvent(() => {
    toast.error("This part of the page could not be opened", {
      description: "A script could not be loaded. Try again, or reload the page.",
    });
    for (const name of ["onOpenChange", "onClose"]) {
      const close: unknown = Reflect.get(props, name);
      if (typeof close === "function") close(false);
    }
  });
  useEffect(() => {
    if (!isOpen || found.Loaded) return;
    let isGone = false;
    script.load().then(
      () => isGone || setFound({ Loaded: script.component() }),
      () => isGone || fail(),
    );
    return () => {
      isGone = true;
    };
  }, [isOpen, found, script]);
  return found.Loaded ? <found.Loaded {...props} /> : null;
}
