/** How a provider of OpenAI's protocol requires calls whose bytes are passed through. */
export type OpenAiRules = Readonly<{
  /** "" when the operator must give one. */
  baseUrl: string;
  /**
   * What happens to `stream_options`: usage is requested (`inject`), left as the client sent it
   * (`keep`), or removed because the provider refuses it (`remove`).
   */
  streamOptions: 'inject' | 'keep' | 'remove';
  /** Paths that differ from the caller's. */
  paths?: Readonly<Record<string, string>>;
  /** The base URL is the whole URL, with `{model}` in place of the name. */
  fullUrl?: true;
  /** Sends which site calls. */
  siteHeaders?: true;
  /** Sends the organisation of the channel. */
  organization?: true;
  /** The paths of Cloudflare's AI gateway leave the version out. */
  cloudflareGateway?: true;
}>;
