import ReactMarkdown from 'react-markdown';

/** Raw HTML inside Markdown is shown as text, never run. A separate file: it is loaded late. */
export const Markdown = ({ text }: Readonly<{ text: string }>) => (
  <div className="markdown">
    <ReactMarkdown
      components={{
        a: ({ children, href }) => (
          <a href={href} target="_blank" rel="noopener noreferrer">
            {children}
          </a>
        ),
      }}
    >
      {text}
    </ReactMarkdown>
  </div>
);
