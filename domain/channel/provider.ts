/** How the parts of a key are written; a bar stands for a bar. Absent: one piece of text. */
type KeyForm =
  | 'api-key|secret'
  | 'app-id|secret|key'
  | 'app-id|secret-id|secret-key'
  | 'access-key|secret|region'
  | 'access-key|secret'
  | 'id.secret'
  | 'key-app-id'
  | 'service-account-json';

/** What the field `other` of a channel means. */
type OtherMeaning =
  | 'api-version'
  | 'plugin-id'
  | 'knowledge-base-id'
  | 'account-id'
  | 'region'
  | 'agent-id';

export type Provider = Readonly<{
  /** The number on the wire; never given to another provider. */
  id: number;
  label: string;
  /** Name of the tag colour in the channel list. */
  colour: string;
  /** `openai`: the same protocol and paths; `openai-like`: small edits; `task`: no chat. */
  kind: 'openai' | 'openai-like' | 'own' | 'task';
  /** Where a channel without an address of its own goes; "" when it needs one or has a region. */
  baseUrl: string;
  baseUrlRequired?: true;
  keyForm?: KeyForm;
  other?: OtherMeaning;
  otherRequired?: true;
  /** Stored when the operator leaves the field empty. */
  otherDefault?: string;
  /** Stored channels go on working; new ones are not offered. */
  retired?: true;
  readsBalance?: true;
  /** The provider has a call that lists its models. */
  listsModels?: true;
}>;
