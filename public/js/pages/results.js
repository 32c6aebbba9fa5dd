/** The list of results: it works without a script; this adds the runs that this browser has shared. */
import { mountHistoryList } from '../ui/saving/history-list.js';

mountHistoryList();
