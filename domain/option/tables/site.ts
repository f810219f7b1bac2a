import {
  address,
  bool,
  choice,
  host,
  int,
  json,
  line,
  mailbox,
  type OptionDefinition,
  page,
  rootOnly,
  secret,
} from '../definition.ts';

/** Chat programs that a token can be opened with; `{key}` and `{address}` are filled in. */
const sampleChats = [
  { NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
  {
    'Lobe Chat':
      'https://chat-preview.lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
  },
  {
    'AI as Workspace':
      'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}',
  },
  { AMA: 'ama://set-api-key?server={address}&key={key}' },
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
];

/** Mail, and addresses that links, secrets and people's own keys are sent to. */
export const addressOptions = rootOnly({
  SMTPServer: host(),
  SMTPPort: int(587, { min: 1, max: 65_535 }),
  SMTPAccount: line(),
  SMTPFrom: mailbox(),
  SMTPToken: secret(),
  SMTPSSLEnabled: bool(false),
  ServerAddress: address('origin'),
  WorkerUrl: address('base'),
  WorkerValidKey: secret(),
  TopUpLink: address('page'),
  Chats: json('chats', sampleChats),
});

/** Appearance and what the console shows. */
export const siteOptions = {
  SystemName: line('Tollgate'),
  Logo: line(),
  Footer: page(),
  Notice: page(),
  About: page(),
  HomePageContent: page(),
  'general_setting.docs_link': address('page'),
  /** Where the console reads the newest release; empty: it does not check. */
  'general_setting.releases_url': address('page'),
  DefaultCollapseSidebar: bool(false),
  DisplayInCurrencyEnabled: bool(true),
  DisplayTokenStatEnabled: bool(true),
  LogConsumeEnabled: bool(true),
  DataExportEnabled: bool(true),
  DataExportInterval: int(5, { min: 1, unit: 'minutes' }),
  DataExportDefaultTime: choice(['hour', 'day', 'week']),
  DrawingEnabled: bool(true),
  TaskEnabled: bool(true),
  DemoSiteEnabled: bool(false),
  SelfUseModeEnabled: bool(false),
} satisfies Record<string, OptionDefinition>;
