import type { TagColour } from '../../../shared/format/colour.ts';

/** Colours of the actions and states of tasks. */
export const actions = {
  MUSIC: 'grey',
  LYRICS: 'pink',
  VIDEO: 'blue',
  REMIX: 'purple',
  BATCH: 'cyan',
  MESSAGES: 'orange',
} as const satisfies Readonly<Record<string, TagColour>>;
/** Of the services that do the work. */
export const platforms = {
  suno: 'green',
  video: 'blue',
  batch: 'cyan',
} as const satisfies Readonly<Record<string, TagColour>>;
export type Platform = keyof typeof platforms;
export const isPlatform = (text: string): text is Platform => Object.hasOwn(platforms, text);

export type Action = keyof typeof actions;

export const statuses = {
  SUCCESS: 'green',
  NOT_START: 'grey',
  SUBMITTED: 'yellow',
  IN_PROGRESS: 'blue',
  FAILURE: 'red',
  QUEUED: 'red',
  UNKNOWN: 'red',
} as const satisfies Readonly<Record<string, TagColour>>;
export type Status = keyof typeof statuses;

export const isAction = (text: string): text is Action => Object.hasOwn(actions, text);
export const isStatus = (text: string): text is Status => Object.hasOwn(statuses, text);
