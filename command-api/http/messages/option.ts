export const optionMessages = {
  'log.cut-invalid': {
    zh: '请输入有效的日志清理时间',
    en: 'Enter the time before which log entries are to be removed',
  },
  'option.unchanged': { zh: '你似乎并没有修改什么', en: 'Nothing was changed' },
  'option.forbidden': {
    zh: '只有超级管理员可以修改 {key}',
    en: 'Only the super administrator can change {key}',
  },
  'option.not-secret': { zh: '{key} 不是密钥类设置', en: '{key} is not a secret' },
  'option.needs': {
    zh: '请先填写 {needs}，再启用 {key}',
    en: 'Fill in {needs} before enabling {key}',
  },
  'option.unknown': { zh: '未知的设置项 {key}', en: 'There is no option {key}' },
  'option.secret': { zh: '{key} 是密钥类设置', en: '{key} is a secret' },
  'option.not-a-switch': {
    zh: '{key} 应为 true 或 false',
    en: '{key} must be true or false',
  },
  'option.not-a-number': { zh: '{key}：请输入数字', en: '{key} must be a number' },
  'option.not-whole': { zh: '{key} 必须是整数', en: '{key} must be a whole number' },
  'option.out-of-range': {
    zh: '{key} 必须在 {min} 与 {max} 之间',
    en: '{key} must be between {min} and {max}',
  },
  'option.too-long': {
    zh: '{key} 不能超过 {max} 个字符',
    en: '{key} must have at most {max} characters',
  },
  'option.not-an-address': {
    zh: '{key} 必须是完整的网址，例如 https://example.com',
    en: '{key} must be a full web address such as https://example.com',
  },
  'option.not-an-origin': {
    zh: '{key} 只能包含协议、域名和端口，例如 https://gate.example.com:8443，后面不能带路径',
    en: '{key} takes scheme, host and port only, such as https://gate.example.com:8443, no path',
  },
  'option.not-a-base': {
    zh: '{key} 后面不能带 ? 或 #，例如 https://example.com/pay',
    en: '{key} must not contain ? or #; write it like https://example.com/pay',
  },
  'option.address-with-login': {
    zh: '{key} 中不能带用户名或密码，例如 https://example.com',
    en: '{key} must not contain a user name or password; write it like https://example.com',
  },
  'option.port-invalid': {
    zh: '{key} 的端口必须是 1 到 65535 之间的数字，例如 https://example.com:8443',
    en: 'The port in {key} must be a number from 1 to 65535, as in https://example.com:8443',
  },
  'option.not-a-host': {
    zh: '{key} 应为主机名或 IP 地址，例如 smtp.example.com，不带 http:// 和端口',
    en: '{key} must be a host name or IP address such as smtp.example.com, without http:// or port',
  },
  'option.not-a-mailbox': {
    zh: '{key} 应为邮箱地址，例如 noreply@example.com',
    en: '{key} must be an e-mail address such as noreply@example.com',
  },
  'option.takes-no-secret': {
    zh: '{key} 没有对应的密钥，请去掉 secret',
    en: '{key} has no secret that belongs to it; leave out secret',
  },
  'option.not-a-choice': {
    zh: '{key} 应为以下之一：{choices}',
    en: '{key} must be one of: {choices}',
  },
  'option.not-a-domain': {
    zh: '{key}：{entry} 不是合法的域名',
    en: '{key}: {entry} is not a domain name',
  },
  'option.not-json': { zh: '{key} 不是合法的 JSON 字符串', en: '{key} is not valid JSON' },
  'option.wrong-shape': {
    zh: '{key} 的内容格式不正确（位置：{place}）',
    en: '{key} has the wrong form at {place}',
  },
} as const;
