import { useEffect, useState } from "react";

/** The text once it has not changed for `waitMs`. */
export function useDebounced(text: string, waitMs: number): string {
  const [lasting, setLasting] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLasting(text), waitMs);
    return () => clearTimeout(timer);
  }, [text, waitMs]);
  return lasting;
}
