import type { Language } from '../../domain/access/language.ts';

export type Letter = Readonly<{ subject: string; html: string }>;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

const paragraphs = (lines: readonly string[]): string =>
  lines.map((line) => `<p>${line}</p>`).join('\n');

/** A notice as a mail: one paragraph for each line, addresses of pages as links. */
export const noticeLetter = ({
  title,
  text,
}: Readonly<{ title: string; text: string }>): Letter => ({
  subject: title,
  html: paragraphs(
    text
      .split('\n')
      .map((line) =>
        escaped(line).replace(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}">${link}</a>`),
      ),
  ),
});

type Reported = Readonly<{ site: string; minutes: number }>;

export const verificationLetter = (
  language: Language,
  { site, code, minutes }: Reported & Readonly<{ code: string }>,
): Letter => {
  const name = escaped(site);
  return language === 'zh'
    ? {
        subject: `${site} 邮箱验证邮件`,
        html: paragraphs([
          `您好，您正在进行 ${name} 邮箱验证。`,
          `您的验证码为：<strong>${code}</strong>`,
          `验证码 ${minutes} 分钟内有效，如果不是本人操作，请忽略。`,
        ]),
      }
    : {
        subject: `${site}: verify your e-mail address`,
        html: paragraphs([
          `This address was entered, most likely by you, at ${name}.`,
          `Your verification code is <strong>${code}</strong>.`,
          `It is valid for ${minutes} minutes. If it was not you, ignore this mail.`,
        ]),
      };
};

export const resetLetter = (
  language: Language,
  { site, link, minutes }: Reported & Readonly<{ link: string }>,
): Letter => {
  const name = escaped(site);
  const anchor = `<a href="${escaped(link)}">${escaped(link)}</a>`;
  return language === 'zh'
    ? {
        subject: `${site} 密码重置`,
        html: paragraphs([
          `您好，您正在进行 ${name} 密码重置。`,
          `点击链接重置密码：${anchor}`,
          `链接 ${minutes} 分钟内有效，如果不是本人操作，请忽略。`,
        ]),
      }
    : {
        subject: `${site}: reset your password`,
        html: paragraphs([
          `A new password was requested at ${name}, most likely by you.`,
          `Open this link to get it: ${anchor}`,
          `It is valid for ${minutes} minutes. If it was not you, ignore this mail.`,
        ]),
      };
};
