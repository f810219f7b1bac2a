import type { UserId } from '../../domain/shared/ids.ts';

/** A message to one person outside the console. */
export type Notice = Readonly<{
  to: UserId;
  /** The type that receivers read; also the key of the limit. */
  kind: string;
  title: string;
  /**
   * `{{value}}` is replaced by the next of `values`. The language of the person is unknown, so it
   * has both.
   */
  content: string;
  values: readonly string[];
}>;

type Reported = Readonly<{ to: UserId }>;

export const quotaNotice = ({
  to,
  remaining,
  link,
}: Reported & Readonly<{ remaining: string; link: string }>): Notice => ({
  to,
  kind: 'quota_exceed',
  title: '您的额度即将用尽 / Your quota is running out',
  content:
    '您的额度即将用尽，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值：{{value}}\n' +
    'Your quota is running out: {{value}} left. Top up here: {{value}}',
  values: [remaining, link, remaining, link],
});

type ReportedChannel = Reported & Readonly<{ id: number; name: string }>;

export const channelDisabledNotice = ({
  to,
  id,
  name,
  reason,
}: ReportedChannel & Readonly<{ reason: string }>): Notice => ({
  to,
  kind: `channel_update_${id}_3`,
  title: `通道「${name}」（#${id}）已被禁用 / Channel "${name}" (#${id}) is disabled`,
  content:
    `通道「${name}」（#${id}）已被自动禁用，原因：{{value}}\n` +
    `Channel "${name}" (#${id}) was disabled automatically: {{value}}`,
  values: [reason, reason],
});

export const channelEnabledNotice = ({ to, id, name }: ReportedChannel): Notice => ({
  to,
  kind: `channel_update_${id}_1`,
  title: `通道「${name}」（#${id}）已被启用 / Channel "${name}" (#${id}) is enabled`,
  content:
    `通道「${name}」（#${id}）已被自动启用\n` +
    `Channel "${name}" (#${id}) works again and was enabled automatically`,
  values: [],
});

export const testRoundNotice = ({
  to,
  tested,
}: Reported & Readonly<{ tested: number }>): Notice => ({
  to,
  kind: 'channel_test',
  title: '通道测试完成 / Channel test finished',
  content: '所有通道测试已完成，共 {{value}} 个\nAll channels were tested, {{value}} in number',
  values: [String(tested), String(tested)],
});

/** The text as a person reads it. */
export const filled = ({ content, values }: Pick<Notice, 'content' | 'values'>): string => {
  const rest = values.values();
  return content.replaceAll('{{value}}', () => rest.next().value ?? '');
};
