import { type RefObject, useEffect, useRef, useState } from "react";
import type { Size } from "@/components/charts/geometry/boxes";

/** The element to measure, and the size of its content as it changes; null until it is known. */
export function useSize<E extends Element>(): [RefObject<E | null>, Size | null] {
  const ref = useRef<E>(null);
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
