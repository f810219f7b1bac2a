import type { Language } from '../../domain/access/language.ts';

type Words = Readonly<Record<Language, string>>;

/** What administrators did. */
export const management: Readonly<Record<string, Words>> = {
  UserRegistered: { zh: '管理员创建了该用户', en: 'An administrator created the user' },
  UserGroupChanged: {
    zh: '管理员将分组从 {previous} 改为 {group}',
    en: 'An administrator moved the user from group {previous} to {group}',
  },
  UserPromoted: { zh: '管理员提升了该用户的权限', en: 'An administrator promoted the user' },
  UserDemoted: { zh: '管理员降低了该用户的权限', en: 'An administrator demoted the user' },
  UserDisabled: { zh: '管理员禁用了该用户', en: 'An administrator disabled the user' },
  UserEnabled: { zh: '管理员启用了该用户', en: 'An administrator enabled the user' },
  UserDeleted: { zh: '管理员删除了该用户', en: 'An administrator deleted the user' },
  PasswordReset: { zh: '管理员重置了密码', en: 'An administrator reset the password' },
  OptionChanged: { zh: '修改设置 {key}', en: 'Changed the setting {key}' },
  SecretOptionChanged: { zh: '更换密钥 {key}', en: 'Replaced the secret {key}' },
  OptionReset: { zh: '将设置 {key} 恢复默认', en: 'Put the setting {key} back to its default' },
  SecretTakenBack: {
    zh: '因 {because} 已变更，清除密钥 {key}',
    en: 'Forgot the secret {key}, as {because} was changed',
  },
  ChannelCreated: { zh: '创建渠道 #{id}', en: 'Created channel #{id}' },
  ChannelChanged: { zh: '修改渠道 #{id}', en: 'Changed channel #{id}' },
  ChannelKeyReplaced: { zh: '更换渠道 #{id} 的密钥', en: 'Replaced the key of channel #{id}' },
  ChannelEnabled: { zh: '启用渠道 #{id}', en: 'Enabled channel #{id}' },
  ChannelDisabled: { zh: '禁用渠道 #{id}', en: 'Disabled channel #{id}' },
  ChannelTagged: { zh: '修改渠道 #{id} 的标签', en: 'Changed the tag of channel #{id}' },
  ChannelDeleted: { zh: '删除渠道 #{id}', en: 'Deleted channel #{id}' },
  RedemptionCreated: {
    zh: '创建兑换码 #{id}，额度 {quota}',
    en: 'Created code #{id}, worth {quota}',
  },
  RedemptionChanged: {
    zh: '修改兑换码 #{id}，额度 {quota}',
    en: 'Changed code #{id}, worth {quota}',
  },
  RedemptionEnabled: { zh: '启用兑换码 #{id}', en: 'Enabled code #{id}' },
  RedemptionDisabled: { zh: '禁用兑换码 #{id}', en: 'Disabled code #{id}' },
  RedemptionDeleted: { zh: '删除兑换码 #{id}', en: 'Deleted code #{id}' },
};

/** Follows what was done, where a reason was given. */
export const reasonWords: Words = { zh: '，原因：{reason}', en: '. Reason: {reason}' };
