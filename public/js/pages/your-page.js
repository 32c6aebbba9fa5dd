import { mountOpenForm } from '../ui/recording/open-form.js';
mountOpenForm((recording) => console.log(recording));
