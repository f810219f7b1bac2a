import { adminRole, type Role, rootRole } from '../access/roles.ts';

/** The shape of a JSON option; `json-shapes.ts` checks it. */
export type JsonShape =
  | 'ratios'
  | 'texts'
  | 'names'
  | 'chats'
  | 'group-limits'
  | 'call-limits'
  | 'user-call-limits'
  | 'model-headers'
  | 'token-counts';

/**
 * `origin`: scheme, host and port, as people reach this site. `base`: other paths are appended to
 * it. `page`: used unchanged.
 */
export type AddressForm = 'origin' | 'base' | 'page';

type OptionUnit =
  | 'quota'
  | 'quota-per-usd'
  | 'tokens'
  | 'seconds'
  | 'hours'
  | 'minutes'
  | 'requests'
  | 'usd'
  | 'currency-per-usd'
  | 'share';

type Common = Readonly<{
  /** Options are text everywhere: 'true', '12', JSON. */
  default: string;
  /** Least role that may write it; `rootOnly` raises it. */
  writer: Role;
  unit?: OptionUnit;
}>;

export type OptionDefinition = Common &
  (
    | Readonly<{
        kind: 'bool';
        /** Switching it on makes no sense before this one is filled in. */
        needs?: string;
      }>
    | Readonly<{ kind: 'int' | 'number'; min: number; max: number }>
    | Readonly<{ kind: 'text'; maxLength: number }>
    | Readonly<{ kind: 'address'; form: AddressForm }>
    | Readonly<{ kind: 'host' | 'mailbox' }>
    | Readonly<{ kind: 'choice'; choices: readonly string[] }>
    | Readonly<{ kind: 'domains' | 'lines' }>
    | Readonly<{ kind: 'json'; shape: JsonShape }>
    | Readonly<{ kind: 'secret' }>
  );

type Extras = Readonly<{ unit?: OptionUnit }>;
const common = (text: string, { unit }: Extras): Common => ({
  default: text,
  writer: adminRole,
  ...(unit === undefined ? {} : { unit }),
});

/** Who people are, where secrets and money go: the super admin alone writes these. */
export const rootOnly = <T extends Readonly<Record<string, OptionDefinition>>>(
  options: T,
): { readonly [K in keyof T]: OptionDefinition } => {
  const raised = Object.entries(options).map(([key, option]) => [
    key,
    { ...option, writer: rootRole },
  ]);
  return Object.fromEntries(raised);
};

export const bool = (on: boolean, needs?: string): OptionDefinition => {
  const flag = { kind: 'bool', ...common(String(on), {}) } as const;
  return needs === undefined ? flag : { ...flag, needs };
};

type Range = Readonly<{ min?: number; max?: number }> & Extras;
export const int = (value: number, range: Range = {}): OptionDefinition => ({
  kind: 'int',
  min: range.min ?? 0,
  max: range.max ?? 2_147_483_647,
  ...common(String(value), range),
});
export const number = (value: number, range: Range = {}): OptionDefinition => ({
  kind: 'number',
  min: range.min ?? 0,
  max: range.max ?? 1e15,
  ...common(String(value), range),
});

const lineLength = 1_000;
const pageLength = 200_000;
export const line = (text = ''): OptionDefinition => ({
  kind: 'text',
  maxLength: lineLength,
  ...common(text, {}),
});
/** Markdown, HTML or an address of a page. */
export const page = (): OptionDefinition => ({
  kind: 'text',
  maxLength: pageLength,
  ...common('', {}),
});
/** http or https, or empty; kept without a trailing slash. */
export const address = (form: AddressForm): OptionDefinition => ({
  kind: 'address',
  form,
  ...common('', {}),
});
/** Name or IP address of a server, without scheme and port; or empty. */
export const host = (): OptionDefinition => ({ kind: 'host', ...common('', {}) });
/** An e-mail address, or empty. */
export const mailbox = (): OptionDefinition => ({ kind: 'mailbox', ...common('', {}) });
export const choice = (choices: readonly [string, ...string[]]): OptionDefinition => ({
  kind: 'choice',
  choices,
  ...common(choices[0], {}),
});
export const lines = (entries: readonly string[]): OptionDefinition => ({
  kind: 'lines',
  ...common(entries.join('\n'), {}),
});
export const domains = (entries: readonly string[]): OptionDefinition => ({
  kind: 'domains',
  ...common(entries.join(','), {}),
});
export const json = (shape: JsonShape, value: unknown): OptionDefinition => ({
  kind: 'json',
  shape,
  ...common(JSON.stringify(value), {}),
});
/** Stored sealed, written only, never shown. */
export const secret = (): OptionDefinition => ({ kind: 'secret', ...common('', {}) });
