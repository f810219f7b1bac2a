import type { TagColour } from '../../../shared/format/colour.ts';

/** Colours of the kinds and states of drawings. */
export const actions = {
  IMAGINE: 'blue',
  UPSCALE: 'orange',
  VARIATION: 'purple',
  HIGH_VARIATION: 'purple',
  LOW_VARIATION: 'purple',
  PAN: 'cyan',
  DESCRIBE: 'yellow',
  BLEND: 'lime',
  UPLOAD: 'blue',
  SHORTEN: 'pink',
  REROLL: 'indigo',
  INPAINT: 'violet',
  ZOOM: 'teal',
  CUSTOM_ZOOM: 'teal',
  MODAL: 'green',
  SWAP_FACE: 'green',
} as const satisfies Readonly<Record<string, TagColour>>;
export type Action = keyof typeof actions;

export const statuses = {
  SUCCESS: 'green',
  NOT_START: 'grey',
  SUBMITTED: 'yellow',
  IN_PROGRESS: 'blue',
  FAILURE: 'red',
  MODAL: 'yellow',
} as const satisfies Readonly<Record<string, TagColour>>;
export type Status = keyof typeof statuses;

export const codes = {
  0: 'yellow',
  1: 'green',
  21: 'lime',
  22: 'orange',
} as const satisfies Readonly<Record<number, TagColour>>;
export type Code = keyof typeof codes;

export const isAction = (text: string): text is Action => Object.hasOwn(actions, text);
export const isStatus = (text: string): text is Status => Object.hasOwn(statuses, text);
export const isCode = (code: number): code is Code => Object.hasOwn(codes, code);
