"use client";

import { Monitor, Moon, Sun, SunMoon } from "lucide-react";
import { useTheme } from "next-themes";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";

const themes = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "As the system", icon: Monitor },
] as const;

export function ThemeMenu() {
  const { setTheme } = useTheme();
  return (
    <Menu
      side="top"
      align="start"
      trigger={<IconButton icon={SunMoon} label="Theme" side="right" />}
      items={themes.map((theme) => ({ label: theme.label, icon: theme.icon, onSelect: () => setTheme(theme.value) }))}
    />
  );
}
