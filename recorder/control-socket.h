/* control-socket.h: a socket in the output directory that a session answers on
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Used by the keeper's thread alone. Nothing waits for a client longer than a second.
 */
#ifndef PLR_CONTROL_SOCKET_H
#define PLR_CONTROL_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "segment.h"

/* A plain value; fd is -1 while there is no socket. */
typedef struct
{
  int fd;
  struct stat fd_identity;   /* of the descriptor: a host may close it and get its number again */
  struct stat file_identity; /* of the file in the directory */
  char name[PLR_FILE_NAME_SIZE];
} PlrControlSocket;

#define PLR_CONTROL_SOCKET_CLOSED ((PlrControlSocket) { .fd = -1 })

/* Listens on PREFIX.sock in @dir, which only its owner may open. Replaces a socket of that name, nothing else:
 * -EEXIST then. */
int plr_control_socket_open (PlrControlSocket *self, const char *dir, const char *prefix);

/* Puts a new socket in the place of @self. Where that fails, one that listens still goes on: it can be reached through a
 * link that leads there, or by a user who may enter the directory. */
int plr_control_socket_renew (PlrControlSocket *self, const char *dir, const char *prefix);

/* Whether the socket is ours still, and in its directory under the name that @prefix gives. */
bool plr_control_socket_is_there (const PlrControlSocket *self, const char *dir, const char *prefix);

/* Waits for a client for @timeout_ms; its descriptor, or -1. Clients of other users, but root, are turned away. */
int plr_control_socket_accept (PlrControlSocket *self, int timeout_ms);

/* Ends a wait that another thread is in. */
void plr_control_socket_interrupt (const PlrControlSocket *self);

/* Closes and removes the file, if it is ours. */
void plr_control_socket_close (PlrControlSocket *self, const char *dir);

/* Reads what a client asks for into @data of @size bytes, until it is more or as much as @is_enough wants. The
 * length. */
size_t plr_control_socket_read (int client, char *data, size_t size, bool (*is_enough) (const char *data, size_t size));

/* Writes an answer and closes @client. */
void plr_control_socket_answer (int client, const char *text, size_t length);

#endif /* PLR_CONTROL_SOCKET_H */
