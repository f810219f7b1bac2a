export const userMessages = {
  'setup.username-required': {
    zh: '请输入管理员用户名',
    en: 'Enter a user name for the administrator',
  },
  'setup.username-invalid': {
    zh: '用户名不能包含空格或 @',
    en: 'The user name must not contain spaces or @',
  },
  'setup.in-progress': {
    zh: '系统正在初始化，请稍后重试',
    en: 'Another set-up is under way, try again in a moment',
  },
  'site.already-initialised': { zh: '系统已经初始化完成', en: 'The site is set up already' },
  'user.already-registered': { zh: '用户已存在', en: 'The user exists already' },
  'user.deleted': { zh: '用户已注销', en: 'This user is deleted' },
  'user.banned': { zh: '用户已被封禁', en: 'This user is banned' },
  'user.above-you': {
    zh: '无权操作同级或更高等级的用户',
    en: 'You cannot act on a user of your own or a higher role',
  },
  'user.root-only': {
    zh: '只有超级管理员可以进行此操作',
    en: 'Only the super administrator can do this',
  },
  'user.root-protected': {
    zh: '不能对超级管理员进行此操作',
    en: 'This cannot be done to the super administrator',
  },
  'user.already-admin': { zh: '该用户已经是管理员', en: 'This user is an administrator already' },
  'user.already-ordinary': {
    zh: '该用户已经是普通用户',
    en: 'This user is an ordinary user already',
  },
  'user.identity-already-linked': {
    zh: '该类型的账号已绑定，请先解绑',
    en: 'An account of this kind is linked already, unlink it first',
  },
  'user.identity-not-linked': { zh: '该账号未绑定', en: 'This account is not linked' },
  'auth.second-factor-required': {
    zh: '此操作需要再次验证身份，请先完成两步验证',
    en: 'This needs your second factor again: confirm it is you first',
  },
  'auth.password-required': {
    zh: '启用两步验证前，请先验证密码',
    en: 'Confirm your password before you set up a second factor',
  },
  'auth.second-factor-wrong': {
    zh: '验证码或通行密钥不正确，请重试',
    en: 'The code or the passkey is not right, try again',
  },
  'auth.second-factor-expired': {
    zh: '验证已过期，请重新开始',
    en: 'This took too long or was begun elsewhere, start again',
  },
  'auth.session-needed': {
    zh: '此操作只能在浏览器登录后进行，不能使用访问令牌',
    en: 'This can be done in a browser only, not with an access token',
  },
  'user.totp-already-enrolled': {
    zh: '已启用身份验证器，如需更换请先移除',
    en: 'An authenticator app is set up already, remove it first',
  },
  'user.totp-not-enrolled': {
    zh: '尚未启用身份验证器',
    en: 'No authenticator app is set up',
  },
  'user.confirmation-wrong': { zh: '密码不正确', en: 'The password is not right' },
  'user.totp-code-wrong': {
    zh: '验证码不正确，请检查手机时间后重试',
    en: 'The code is not right; check the time of your phone and try again',
  },
  'user.totp-code-used': {
    zh: '该验证码已被使用，请等待下一个验证码',
    en: 'This code has been used already, wait for the next one',
  },
  'user.recovery-code-wrong': {
    zh: '恢复码不正确或已被使用',
    en: 'The recovery code is not right or has been used already',
  },
  'user.passkey-already-added': { zh: '该通行密钥已添加', en: 'This passkey is added already' },
  'user.passkey-unknown': { zh: '该通行密钥不存在', en: 'There is no such passkey' },
  'user.passkey-copied': {
    zh: '该通行密钥的使用计数异常，可能已被复制，请移除后重新添加',
    en: 'The counter of this passkey did not grow, it may be a copy: remove it and add it again',
  },
  'user.passkey-not-verified': {
    zh: '无法验证该通行密钥，请确认正在通过本站地址访问',
    en: 'The passkey could not be verified; use the address of this site',
  },
  'user.passkey-no-address': {
    zh: '无法确定本站地址，请管理员设置服务器地址',
    en: 'The address of this site is not known; an administrator has to set the server address',
  },
  'user.too-many-passkeys': {
    zh: '通行密钥数量已达上限，请先移除不再使用的密钥',
    en: 'There are too many passkeys, remove one first',
  },
  'user.no-second-factor': {
    zh: '尚未启用两步验证',
    en: 'No second factor is set up',
  },
  'user.reason-needed': { zh: '请填写原因', en: 'Give a reason' },
  'user.session-unknown': {
    zh: '该登录会话不存在或已结束',
    en: 'This session does not exist or is over already',
  },
  'user.name-taken': { zh: '用户名已存在，或已注销', en: 'This user name is taken' },
  'user.name-invalid': {
    zh: '用户名应为 1 至 {max} 个字符，且不含空格或 @',
    en: 'The user name must have 1 to {max} characters, without spaces or @',
  },
  'user.name-invisible': {
    zh: '名称不能包含不可见字符或文字方向控制符',
    en: 'Names must not contain invisible characters or controls of text direction',
  },
  'user.name-lookalike': {
    zh: '该名称与其他用户的用户名过于相似',
    en: 'This name is too similar to the user name of another user',
  },
  'user.password-mismatch': { zh: '两次输入的密码不一致', en: 'The two passwords differ' },
  'user.password-too-short': {
    zh: '密码长度至少为{min}个字符',
    en: 'The password must have at least {min} characters',
  },
  'user.password-too-long': {
    zh: '密码长度不能超过{max}个字符',
    en: 'The password must have at most {max} characters',
  },
  'user.password-blank': {
    zh: '密码不能全为空格',
    en: 'The password must not consist of blanks alone',
  },
  'user.password-common': {
    zh: '该密码过于常见，容易被猜中；管理员请换用其他密码',
    en: 'This password is among the most common ones; administrators need another one',
  },
  'user.password-unchanged': {
    zh: '新密码不能与原密码相同',
    en: 'The new password must differ from the old one',
  },
  'user.wrong-password': { zh: '原密码错误', en: 'The original password is wrong' },
  'user.registration-off': {
    zh: '管理员关闭了新用户注册',
    en: 'Registration is switched off',
  },
  'user.password-registration-off': {
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
    en: 'Registration by password is switched off, use a login provider',
  },
  'user.email-code-needed': {
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
    en: 'An e-mail address and its verification code are needed',
  },
  'user.email-invalid': { zh: '无效的邮箱地址', en: 'The e-mail address is not valid' },
  'user.webhook-not-https': {
    zh: 'Webhook 地址必须以 https:// 开头',
    en: 'The webhook address must start with https://',
  },
  'user.transfer-too-small': {
    zh: '转移额度最小为 {min}',
    en: 'At least {min} units can be transferred',
  },
} as const;
