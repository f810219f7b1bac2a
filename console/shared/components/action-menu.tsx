import { Menu, type MenuProps } from '@blueprintjs/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';

const items = (menu: HTMLElement): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role=menuitem], [role=option]'),
];

const placeAfter: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A menu that opens with the focus on its first entry; the arrow keys move it. */
export const ActionMenu = (props: MenuProps) => {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const [first] = list.current ? items(list.current) : [];
    first?.focus({ preventScroll: true });
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const next = placeAfter[event.key];
    if (!next) return;
    event.preventDefault();
    const all = items(event.currentTarget);
    const at = all.findIndex((item) => item.matches(':focus'));
    all[next(at, all.length)]?.focus();
  };
  return <Menu {...props} ulRef={list} onKeyDown={onKeyDown} />;
};
