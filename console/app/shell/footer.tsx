import { useTranslation } from 'react-i18next';
import { SafeHtml } from '../../shared/components/safe-html.tsx';
import { defaultSystemName, useStatus } from '../../shared/status.ts';

export const Footer = () => {
  const { t } = useTranslation('shell');
  const { footer_html, system_name, version } = useStatus();
  return (
    <footer className="footer">
      {footer_html ? (
        <SafeHtml html={footer_html} />
      ) : (
        <span>
          {t('footer', { name: system_name || defaultSystemName, version: version || '' })}
        </span>
      )}
    </footer>
  );
};
