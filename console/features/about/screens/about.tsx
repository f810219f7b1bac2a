import { InfoSign } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { RichText } from '../../../shared/components/rich-text.tsx';
import { usePageTitle } from '../../../shared/page-title.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useAbout } from '../api/about.ts';

/** The operator's text about the site: text, or another page in a frame. */
export const About = () => {
  const { t } = useTranslation('about');
  usePageTitle(t('title'));
  const about = useAbout();
  const isAdmin = useIsAdmin();
  const text = about.data ?? '';
  if (about.isError) {
    return <LoadFailed error={about.error} onRetry={() => void about.refetch()} />;
  }
  if (text.startsWith('https://')) {
    return (
      <iframe
        className="home-frame"
        src={text}
        title={t('title')}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
      />
    );
  }
  if (about.data === '') {
    return (
      <EmptyState
        icon={<InfoSign size={36} />}
        title={t('empty')}
        {...(isAdmin && { hint: t('empty-hint') })}
      />
    );
  }
  return (
    <div className="home">
      <div className="home-content">
        <RichText text={text} />
      </div>
    </div>
  );
};
