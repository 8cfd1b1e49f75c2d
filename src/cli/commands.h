/* The commands: each parses its arguments (argv[0] is its name), does its work and returns the exit code. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

/* The main job; its mask must have this hash (file_hash.h), or nothing is written. NULL: any mask will do. */
int cli_photo_job(int argc, char **argv, const char *mask_hash);

int cli_run_photo(int argc, char **argv);
int cli_run_replay(int argc, char **argv);
int cli_run_score(int argc, char **argv);
int cli_run_methods(int argc, char **argv);
int cli_run_cluster(int argc, char **argv);
int cli_run_eval(int argc, char **argv);
int cli_run_figure(int argc, char **argv);
int cli_run_experiment(int argc, char **argv);
int cli_run_query(int argc, char **argv);

int cli_replay_help(void);
int cli_score_help(void);
int cli_methods_help(void);
int cli_cluster_help(void);
int cli_eval_help(void);
int cli_figure_help(void);
int cli_experiment_help(void);
int cli_query_help(void);

#endif
