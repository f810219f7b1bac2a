import type { Language } from '../access/language.ts';
import type { KeyForm } from './key-forms.ts';

/** What the field `other` of a channel means. */
type OtherMeaning =
  | 'api-version'
  | 'model-version'
  | 'plugin-id'
  | 'knowledge-base-id'
  | 'account-id'
  | 'region'
  | 'agent-id';

export type ProviderFacts = Readonly<{
  /** The number on the wire and in events; never given to another provider. */
  id: number;
  /** One text where the name is the same in every language. */
  label: string | Readonly<Record<Language, string>>;
  /** Name of the tag colour in the channel list. */
  colour:
    | 'blue'
    | 'green'
    | 'grey'
    | 'indigo'
    | 'light-blue'
    | 'orange'
    | 'pink'
    | 'purple'
    | 'teal'
    | 'violet';
  /**
   * What serves its channels: an adapter, the task API (images, music, videos), or nothing.
   * A channel of the last kind can be stored and is never offered.
   */
  relay: 'adapter' | 'tasks' | 'none';
  /** Retired: label of the type that serves the same address; new channels have that type. */
  successor?: string;
  /** Default address of a channel; "" when it needs one or has a region. */
  baseUrl: string;
  baseUrlRequired?: true;
  /** What the address of a channel is, where it is more than another host for the same calls. */
  baseUrlMeaning?: 'endpoint' | 'full-url' | 'private-url' | 'suno-url';
  /** Absent: one piece of text. */
  keyForm?: KeyForm;
  other?: Readonly<{
    meaning: OtherMeaning;
    required?: true;
    /** Stored when the operator leaves the field empty. */
    default?: string;
  }>;
  /** Calls may name the organisation that pays. */
  takesOrganization?: true;
  /** What an operator is warned of above the form. */
  warning?: 'deployment-name' | 'openai-gateway' | 'apps-only';
  /** Where an account is opened. */
  signUpUrl?: string;
  /** The provider has a call that returns the balance of the account. */
  readsBalance?: true;
  /** The provider has a call that lists its models. */
  listsModels?: true;
  /** Names that the form offers; empty where any name will do. */
  models: readonly string[];
}>;
