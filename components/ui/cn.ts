import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** One class list; of two classes that set the same property, the later wins. */
export const cn = (...classes: ClassValue[]): string => twMerge(clsx(classes));
