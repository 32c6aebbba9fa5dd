import $ from 'jquery';

export function followNews(show) {
  let last = 0;

  function poll() {
    $.getJSON('/news', { since: last })
      .done((news) => {
        for (const { id, text } of news) {
          last = id;
          show(text);
        }
      })
      .always(() => setTimeout(poll, 1000));
  }
  poll();
}
