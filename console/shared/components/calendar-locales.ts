import english from 'date-fns/locale/en-US';
import chinese from 'date-fns/locale/zh-CN';

/** Names of days and months in the language of the page. */
export const calendarLocale = (language: string) => (language.startsWith('zh') ? chinese : english);

export const oldestDay = new Date(2020, 0, 1);
