import type { Look } from '../console-pages.ts';
import type { Step } from './steps.ts';

/** Something that opens over a page, and how a user opens it. */
export type Overlay = Readonly<{
  name: string;
  /** Uses as `overlayUses` finds them. */
  of: readonly string[];
  path: string;
  by?: 'visitor';
  /** Where it exists at one size alone. */
  only?: Look['size'];
  /** The same parts, in another list. */
  isLikeOthers?: boolean;
  steps: readonly Step[];
  /** What is then there. */
  shown: string;
}>;

export const dialog = '.bp6-dialog';
export const drawer = '.bp6-drawer';
export const popover = '.bp6-popover';
export const alert = '.bp6-alert';
export const choices = '[role=listbox]';
