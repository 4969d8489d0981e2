"use client";

import { Command as Cmdk } from "cmdk";
import { Monitor, Moon, Search, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { type Command, useRegisteredCommands } from "@/components/layout/commands";
import { navPages } from "@/components/layout/nav";
import { scrimLook } from "@/components/ui/dialog";
import { groupBy } from "@/components/ui/group-by";
import { Kbd } from "@/components/ui/kbd";

export interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Goes anywhere and does anything: pages, what the page at hand registered, the theme. */
export function CommandPalette({ open, onOpenChange }: CommandPaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          aria-describedby={undefined}
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-24px)] max-w-140 animate-fade overflow-hidden rounded-lg bg-raised shadow-overlay outline-none"
        >
          <Radix.Title className="sr-only">Command palette</Radix.Title>
          <Palette close={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Palette({ close }: { close: () => void }) {
  const router = useRouter();
  const { setTheme } = useTheme();
  const registered = useRegisteredCommands();
  const groups = groupBy(registered, (command) => command.group ?? "On this page");
  const run = (act: () => void) => {
    close();
    act();
  };
  const themes: Command[] = [
    { id: "theme-light", label: "Use the light theme", icon: Sun, run: () => setTheme("light") },
    { id: "theme-dark", label: "Use the dark theme", icon: Moon, run: () => setTheme("dark") },
    { id: "theme-system", label: "Follow the system's theme", icon: Monitor, run: () => setTheme("system") },
  ];
  return (
    <Cmdk label="Command palette" loop>
      <div className="flex items-center gap-2 border-line border-b px-3">
        <Search aria-hidden className="size-4 text-faint" />
        <Cmdk.Input
          placeholder="Go to a page or do something…"
          className="h-11 flex-1 bg-transparent text-md outline-none max-sm:text-lg"
        />
        <Kbd keys="escape" />
      </div>
      <Cmdk.List className="max-h-[50vh] overflow-y-auto p-1">
        <Cmdk.Empty className="px-3 py-6 text-center text-muted">Nothing here goes by that name.</Cmdk.Empty>
        {groups.map(([heading, commands]) => (
          <Group key={heading} heading={heading}>
            {commands.map((command) => (
              <Item key={command.id} command={command} onRun={() => run(command.run)} />
            ))}
          </Group>
        ))}
        <Group heading="Go to">
          {navPages.map((page) => (
            <Item
              key={page.href}
              command={{
                id: page.href,
                label: page.label,
                icon: page.icon,
                keywords: [page.about],
                keys: `g ${page.jump}`,
                run: () => undefined,
              }}
              aside={page.about}
              onRun={() => run(() => router.push(page.href))}
            />
          ))}
        </Group>
        <Group heading="Theme">
          {themes.map((command) => (
            <Item key={command.id} command={command} onRun={() => run(command.run)} />
          ))}
        </Group>
      </Cmdk.List>
    </Cmdk>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Cmdk.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Cmdk.Group>
  );
}

function Item({ command, aside, onRun }: { command: Command; aside?: string; onRun: () => void }) {
  const Icon = command.icon;
  return (
    <Cmdk.Item
      value={command.id}
      keywords={[command.label, ...(command.keywords ?? [])]}
      onSelect={onRun}
      className="flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 data-[selected=true]:bg-hover max-sm:h-11"
    >
      <span className="flex w-4 justify-center text-muted">
        {Icon ? <Icon aria-hidden className="size-4" strokeWidth={1.75} /> : null}
      </span>
      <span>{command.label}</span>
      {aside ? <span className="truncate text-faint text-sm max-sm:hidden">{aside}</span> : null}
      {command.keys ? <Kbd keys={command.keys} className="ml-auto" /> : null}
    </Cmdk.Item>
  );
}
