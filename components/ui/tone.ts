/** The closed list of meanings that a colour may have. The texts come from the callers. */
import { Ban, Check, CircleHelp, Eye, type LucideIcon, Minus, Slash, Zap } from "lucide-react";

export const tones = ["allow", "ask", "deny", "canceled", "error", "observe", "unknown"] as const;
export type Tone = (typeof tones)[number];

interface ToneLook {
  readonly icon: LucideIcon;
  /** Text on the page. */
  readonly text: string;
  /** A filled tag: soft ground, its own text, a hairline. */
  readonly tag: string;
  /** A solid mark: bars, dots. */
  readonly solid: string;
  /** The colour as a CSS value, for drawings. */
  readonly css: string;
}

export const toneLook = {
  allow: {
    icon: Check,
    text: "text-allow",
    tag: "bg-allow-soft text-allow border-allow-line",
    solid: "bg-allow-solid",
    css: "var(--allow-solid)",
  },
  ask: {
    icon: CircleHelp,
    text: "text-ask",
    tag: "bg-ask-soft text-ask border-ask-line",
    solid: "bg-ask-solid",
    css: "var(--ask-solid)",
  },
  deny: {
    icon: Ban,
    text: "text-deny",
    tag: "bg-deny-soft text-deny border-deny-line",
    solid: "bg-deny-solid",
    css: "var(--deny-solid)",
  },
  canceled: {
    icon: Slash,
    text: "text-canceled",
    tag: "bg-canceled-soft text-canceled border-canceled-line",
    solid: "bg-canceled-solid",
    css: "var(--canceled-solid)",
  },
  error: {
    icon: Zap,
    text: "text-error",
    tag: "bg-error-soft text-error border-error-line",
    solid: "bg-error-solid",
    css: "var(--error-solid)",
  },
  observe: {
    icon: Eye,
    text: "text-observe",
    tag: "bg-observe-soft text-observe border-observe-line",
    solid: "bg-observe-solid",
    css: "var(--observe-solid)",
  },
  unknown: {
    icon: Minus,
    text: "text-unknown",
    tag: "bg-unknown-soft text-unknown border-unknown-line hatched",
    solid: "bg-unknown-solid hatched",
    css: "var(--unknown-solid)",
  },
} as const satisfies Record<Tone, ToneLook>;
